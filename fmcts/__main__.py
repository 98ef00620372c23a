"""`python -m fmcts`: the command line."""

import sys

from fmcts.cli import main

if __name__ == '__main__':
    sys.exit(main())
