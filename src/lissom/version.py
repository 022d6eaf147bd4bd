"""The version of lissom, where every module can read it."""

VERSION = "0.1.0"
