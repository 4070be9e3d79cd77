import { said, spoken } from "../../../client/Language.ts"
import { may } from "../../../client/Rights.ts"
import type { ClubView, ClubViewProps } from "../../../client/View.ts"
import { PageHead } from "../../../parts/PageHead.tsx"
import { Empty } from "../../../parts/States.tsx"

const words = spoken(
  {
    text: "Owners and administrators look after webhooks: they see what is sent about every student. Ask one of them.",
    title: "Your role does not show webhooks"
  },
  {
    text: "Donos e administradores cuidam dos webhooks: eles veem o que se envia sobre cada aluno. Peça a um deles.",
    title: "Seu papel não mostra os webhooks"
  }
)

/**
 * A view for administrators of the club only. Others get a sentence about that, and the view reads nothing for them.
 */
export const administered = (View: ClubView): ClubView => (props: ClubViewProps) =>
  may(props.club.role, "administer")
    ? <View {...props} />
    : (
      <>
        <PageHead title="Webhooks" />
        <Empty title={said(words).title}>{said(words).text}</Empty>
      </>
    )
