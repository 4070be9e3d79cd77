import { Option } from "effect"

/** The most different emojis that one person gives a comment. */
export const reactionsPerPerson = 10
/** The most different emojis of a comment from all people together. */
export const reactionsPerComment = 50

// Unicode's list of emojis that are recommended for general interchange, sequences included.
const isEmoji = (text: string) => /^\p{RGI_Emoji}$/v.test(text)

/**
 * The emoji that this text is; empty for any other text and for more than one emoji. Some are written with or without
 * the character that asks for colour. Both are the same emoji, with it.
 */
export const emojiOf = (text: string): Option.Option<string> =>
  Option.firstSomeOf([text, `${text}\uFE0F`].map((emoji) => isEmoji(emoji) ? Option.some(emoji) : Option.none()))
