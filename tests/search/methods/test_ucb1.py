"""UCB1 against the article's formula, which many transcriptions take."""

import naive

test_matches_the_transcription = naive.law(naive.ucb1)
