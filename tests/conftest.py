"""Profiles of hypothesis; `pytest --hypothesis-profile=mutation` takes the second."""

from hypothesis import Phase, settings

# For the mutation check (docs/mutation.md), which runs the tests a thousand times: few examples,
# always the same ones, and no shrinking, since it is enough to know that a test fails.
settings.register_profile(
    'mutation',
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=15,
    phases=[Phase.explicit, Phase.generate],
)
