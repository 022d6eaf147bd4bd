"""The recursions, one file each, named as the field names them."""
