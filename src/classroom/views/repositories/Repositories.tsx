import { turma } from "../../../browser/client/Api.ts"
import { said } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { clubId, ofClub, to } from "../../club/View.ts"
import { words } from "./words.ts"

/** The folders of files that the student has. */
export default function Repositories() {
  const read = useRead(`${clubId}/repositories`, (signal) => turma.classroomRepositories.list(ofClub, { signal }))
  return (
    <>
      <PageHead title={said(words).title} />
      <Shown read={read}>
        {({ data }) =>
          data.length === 0
            ? <Empty icon="folder" title={said(words).none}>{said(words).noneText}</Empty>
            : (
              <ul class="tiles">
                {data.map(({ file_count, instructor_name, public_id, title }) => (
                  <li key={public_id}>
                    <a class="tile folder" href={to("repositories", public_id)}>
                      <span class="kind" aria-hidden="true">
                        <Icon name="folder" />
                      </span>
                      <span class="grow">
                        <strong dir="auto">{title}</strong>
                        <span class="small">
                          {instructor_name !== null && (
                            <>
                              <span dir="auto">{said(words).by(instructor_name)}</span>
                              {" · "}
                            </>
                          )}
                          {said(words).files(file_count)}
                        </span>
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            )}
      </Shown>
    </>
  )
}
