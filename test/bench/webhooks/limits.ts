/** The most requests in flight of each contender: the result of Turma's defaults for a club of 20 endpoints. */
export const concurrency = 84
