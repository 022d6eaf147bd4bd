"""What motion problems consist of: phases, columns and channels, contacts, surfaces and solids, and motions themselves."""
