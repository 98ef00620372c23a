"""Texts of values by their content: code, constants, closures, globals.

`described` makes the texts that identify bots and games in files;
`user_code` distinguishes the user's code from installed packages.
"""

from fmcts._content.described import (
    content_of as content_of,
    names_in as names_in,
    usual_option as usual_option,
)
from fmcts._content.user_code import NOT_OWN as NOT_OWN, is_user_code as is_user_code
