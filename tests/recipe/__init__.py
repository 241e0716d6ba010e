"""The sixth game of CONTRIBUTING.md, file by file: `tests/project/test_recipe.py` follows the recipe with it."""
