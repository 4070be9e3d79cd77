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

/** A view that only who administers the club is shown; others are told so, and nothing is asked for them. */
export const administered = (View: ClubView): ClubView => (props: ClubViewProps) =>
  may(props.club.role, "administer")
    ? <View {...props} />
    : (
      <>
        <PageHead title="Webhooks" />
        <Empty title={said(words).title}>{said(words).text}</Empty>
      </>
    )
