"""How machine code is made, named and kept."""
