/** Requests that each contender has under way at most: what Turma's defaults come to for a club of 20 endpoints. */
export const concurrency = 84
