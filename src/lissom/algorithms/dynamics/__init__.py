"""Forces from motion, motion from forces, energy and momentum of trees."""
