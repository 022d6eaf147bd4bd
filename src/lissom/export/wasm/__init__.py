"""WebAssembly: functions of a robot for browsers, as a module with its JavaScript."""
