import { dateTime } from "../../../../browser/client/Format.ts"
import { said } from "../../../../browser/client/Language.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../../browser/parts/States.tsx"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { commonWords } from "../words.ts"
import { Counts, Errors, ImportBadge, ImportProgress, LeftOut, useImport } from "./Outcome.tsx"
import { importWords } from "./words.ts"

/** One import: how far it is, what came of it, and what was wrong. */
export default function ImportPage({ club, params }: ClubViewProps) {
  const { import: id = "" } = params
  const read = useImport(club, id)
  const { data } = read
  return (
    <>
      <PageHead
        title={data?.dry_run === true ? said(importWords).trial : said(importWords).import}
        above={[
          { label: said(commonWords).students, to: clubPage(club, "students") },
          { label: said(importWords).import, to: clubPage(club, "students", "import") }
        ]}
        badge={data !== undefined && <ImportBadge {...data} />}
      >
        {data !== undefined && `${dateTime(data.created_at)}, ${said(importWords).rows(data.total)}`}
      </PageHead>
      <Shown read={read}>
        {(shown) => (
          <>
            {shown.status !== "completed" && <ImportProgress {...shown} />}
            <Counts {...shown} />
            <LeftOut {...shown} />
            {shown.failed > 0 && <Errors key={shown.failed} club={club} id={id} />}
          </>
        )}
      </Shown>
    </>
  )
}
