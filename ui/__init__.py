"""The touchscreen: view-models without Kivy, and thin widgets that show them."""
