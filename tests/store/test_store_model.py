"""The store holds what a plain model of it holds, whatever is done to both."""

from hypothesis import settings

from tests.store.store_model import StoreMachine

# A short run for every day; `make soak` runs 500 x 50.
StoreMachine.TestCase.settings = settings(max_examples=30, stateful_step_count=30)
TestStoreAgainstModel = StoreMachine.TestCase
