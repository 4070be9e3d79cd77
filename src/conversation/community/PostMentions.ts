/** The mentions in posts. */
export const postMentions = { mentions: "post_mentions", of: "post_id", texts: "posts" } as const
