import { said, spoken } from "../../../browser/client/Language.ts"
import { Cover } from "../../../browser/parts/Cover.tsx"
import { Icon } from "../../../browser/parts/Icon.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { to } from "../../club/View.ts"

const words = spoken(
  { ended: "Your access has ended", not_included: "Not part of your access" },
  { ended: "Seu acesso terminou", not_included: "Não faz parte do seu acesso" }
)

/** A course that the student does not have. Its page says what is in it. */
export const LockedTile = ({ course: { cover, cover_media_id, locked, public_id, title } }: {
  readonly course: Schemas["ClassroomCourse"]
}) => (
  <a class="course-tile locked" href={to("courses", public_id)}>
    <Cover name={cover_media_id ?? public_id} title={title} image={cover} />
    <span class="course-tile-words">
      <strong dir="auto">{title}</strong>
      {locked !== null && (
        <span class="soft small">
          <Icon name="lock" />
          {said(words)[locked.reason]}
        </span>
      )}
    </span>
  </a>
)
