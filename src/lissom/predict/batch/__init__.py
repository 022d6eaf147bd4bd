"""Functions of many decision vectors of one motion problem at once: values, Jacobians, products of derivatives; also on cards."""
