"""Tests of prokonsul."""
