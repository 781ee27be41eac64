//! Codes of this room.
codes! {}
