"""Texts of values by their content: code, constants, closures, globals.

`described` makes the texts that identify bots and games in files and in other processes;
`user_code` distinguishes the user's code from installed packages.
"""
