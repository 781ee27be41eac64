//! Indices that say by their type which list of the machine they point into: `machine.bodies[action.body]`.

use super::{AgentIx, Body, Input, MachineAgent, Slot};

/// Index into [`super::Machine::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyIx(pub usize);

/// Index into [`Body::inputs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputIx(pub usize);

/// Index into [`super::Machine::slots`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotIx(pub usize);

/// What an index into a list can do: of a machine, or of a language's model.
macro_rules! points_into {
    ($($name:ident: $item:ty;)*) => {$(
        #[allow(dead_code)]
        impl $name {
            /// All indices of a list.
            pub fn all(list: &[$item]) -> impl DoubleEndedIterator<Item = $name> + use<> {
                (0..list.len()).map($name)
            }

            /// A list with its indices.
            pub fn each(list: &[$item]) -> impl Iterator<Item = ($name, &$item)> {
                list.iter().enumerate().map(|(ix, item)| ($name(ix), item))
            }

            /// The index of what comes into a list next.
            pub fn next(list: &[$item]) -> $name {
                $name(list.len())
            }
        }

        impl std::ops::Index<$name> for Vec<$item> {
            type Output = $item;

            fn index(&self, ix: $name) -> &$item {
                &self[ix.0]
            }
        }

        impl std::ops::Index<$name> for [$item] {
            type Output = $item;

            fn index(&self, ix: $name) -> &$item {
                &self[ix.0]
            }
        }

        impl std::ops::IndexMut<$name> for Vec<$item> {
            fn index_mut(&mut self, ix: $name) -> &mut $item {
                &mut self[ix.0]
            }
        }
    )*};
}
pub(crate) use points_into;

points_into! {
    AgentIx: MachineAgent;
    BodyIx: Body;
    InputIx: Input;
    SlotIx: Slot;
}
