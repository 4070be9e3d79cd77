/**
 * The longest that is kept of an attempt, and of each of its phases, in milliseconds: what an `integer` column holds, 24 days.
 * No attempt may take as long, but its process may stand still meanwhile, and finds then how much has passed.
 */
export const longestTime = 2 ** 31 - 1
