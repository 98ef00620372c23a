"""The compiled engine: loops in C, linked with games and searches by LLVM."""
