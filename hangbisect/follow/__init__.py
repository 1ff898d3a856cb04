"""Reaches processes beyond those we start: what is put into an interpreter, and what it heeds."""
