//! gsmc
