import { useId } from "preact/hooks"
import { said } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { sourceAddress } from "../../../club/Source.ts"
import { to, type ViewProps } from "../../../club/View.ts"
import { AskTalk } from "./AskTalk.tsx"
import { words } from "./words.ts"

/** The conversation about a lesson on a page of its own. */
export default function AskPage({ params: { lesson = "" } }: ViewProps) {
  const id = useId()
  const address = to("lessons", lesson)
  return (
    <>
      <PageHead title={said(words).ask} above={[{ label: said(words).lesson, to: address }]} />
      <AskTalk
        key={lesson}
        lesson={lesson}
        openSource={(source) => {
          go(sourceAddress(lesson, source))
          return true
        }}
        titleId={id}
      />
    </>
  )
}
