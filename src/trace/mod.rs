//! Traces in GSM names.
