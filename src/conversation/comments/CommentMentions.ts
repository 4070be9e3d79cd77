/** The mentions in comments. */
export const commentMentions = { mentions: "comment_mentions", of: "comment_id", texts: "comments" } as const
