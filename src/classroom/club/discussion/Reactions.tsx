import { turma } from "../../../browser/client/Api.ts"
import { number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { wishFor } from "../../../browser/client/Wishes.ts"
import { Menu } from "../../../browser/parts/Menu.tsx"
import { tellFailure } from "../../../browser/parts/Toasts.tsx"
import { ofClub } from "../View.ts"
import { type Change, type Comment, emojis, withReaction } from "./comments.ts"

const words = spoken(
  {
    add: "Add a reaction",
    many: (emoji: string, count: string) => `${emoji} ${count}`,
    react: (emoji: string) => `React with ${emoji}`
  },
  {
    add: "Adicionar reação",
    many: (emoji: string, count: string) => `${emoji} ${count}`,
    react: (emoji: string) => `Reagir com ${emoji}`
  }
)

interface ReactionsProps {
  readonly comment: Comment
  readonly change: (change: Change) => void
}

/** The emojis of a comment. A click gives one or takes it back, at once. */
export const Reactions = ({ change, comment }: ReactionsProps) => {
  const toggle = (emoji: string) => {
    const isGiven = !comment.reactions.some(({ mine, reaction }) => mine && reaction === emoji)
    const params = { ...ofClub, commentId: comment.id, emoji }
    change(withReaction(emoji, isGiven))
    void wishFor(`${comment.id} ${emoji}`, {
      isGiven,
      send: (isNow) => isNow ? turma.classroomComments.react(params) : turma.classroomComments.unreact(params),
      // The comment may have been read meanwhile, as it was before.
      done: (isNow) => change(withReaction(emoji, isNow)),
      failed: (isNow, thrown) => {
        change(withReaction(emoji, isNow))
        tellFailure(thrown)
      }
    })
  }
  return (
    <>
      {comment.reactions.map(({ count, mine, reaction }) => (
        <button
          key={reaction}
          type="button"
          class="reaction"
          aria-pressed={mine}
          aria-label={said(words).many(reaction, number(count))}
          onClick={() => toggle(reaction)}
        >
          <span aria-hidden="true">{reaction}</span>
          <span class="number">{number(count)}</span>
        </button>
      ))}
      <Menu label={said(words).add} icon="smile" shape="row">
        {emojis.map((emoji) => (
          <li key={emoji}>
            <button
              type="button"
              class="quiet square emoji"
              aria-label={said(words).react(emoji)}
              onClick={() => toggle(emoji)}
            >
              {emoji}
            </button>
          </li>
        ))}
      </Menu>
    </>
  )
}
