import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { bytes } from "../../../browser/client/Format.ts"
import { said } from "../../../browser/client/Language.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { clubId, ofClub, to, type ViewProps } from "../../club/View.ts"
import { endingOf, type File, icons, viewOf } from "./files.ts"
import { Picture } from "./Picture.tsx"
import { words } from "./words.ts"

/** The file saved by the browser: its address makes it a download, so the page stays. */
const save = async (publicId: string, fileId: string) => {
  const { data } = await turma.classroomRepositories.download({ ...ofClub, publicId, fileId })
  location.assign(data.url)
}

/** The file in a tab of its own. It opens at the click, since a browser stops pages that open one later. */
const openBeside = async (publicId: string, fileId: string) => {
  const tab = open("about:blank", "_blank")
  try {
    const { data } = await turma.classroomRepositories.download({ ...ofClub, publicId, fileId, inline: "true" })
    if (tab === null) {
      location.assign(data.url)
      return
    }
    tab.opener = null
    tab.location.replace(data.url)
  } catch (thrown) {
    tab?.close()
    throw thrown
  }
}

const noteOf = (file: File) =>
  [endingOf(file) ?? said(words).kinds[file.kind], file.size_bytes === null ? "" : bytes(file.size_bytes)]
    .filter((part) => part !== "").join(" · ")

const Row = ({ file, look, publicId }: {
  readonly file: File
  readonly publicId: string
  readonly look: (file: File) => void
}) => {
  const view = viewOf(file)
  const run = () => view === "page" ? look(file) : void attempt(() => openBeside(publicId, file.id))
  const title = (
    <>
      <span class="kind" aria-hidden="true">
        <Icon name={icons[file.kind]} />
      </span>
      <span class="grow">
        <strong dir="auto">{file.title}</strong>
        <span class="soft small">{noteOf(file)}</span>
      </span>
    </>
  )
  return (
    <li class="file-row">
      {view === undefined
        ? <div class="file">{title}</div>
        : (
          <button type="button" class="file" onClick={run}>
            <span class="visually-hidden">{said(words).look}</span>
            {title}
          </button>
        )}
      <button
        type="button"
        class="quiet"
        aria-label={said(words).downloadOf(file.title)}
        onClick={() => void attempt(() => save(publicId, file.id))}
      >
        <Icon name="download" />
        <span class="wide-only">{said(words).download}</span>
      </button>
    </li>
  )
}

/** One folder and its files, to look at and to keep. */
export default function Repository({ params }: ViewProps) {
  const publicId = params["repository"] ?? ""
  const shown = useSignal<File | undefined>(undefined)
  const read = useRead(
    `${clubId}/repositories/${publicId}`,
    (signal) => turma.classroomRepositories.get({ ...ofClub, publicId }, { signal })
  )
  const known = read.data?.data
  return (
    <>
      <PageHead
        title={known?.title ?? said(words).title}
        above={[{ label: said(words).title, to: to("repositories") }]}
      >
        {known && (
          <>
            {known.instructor_name !== null && (
              <>
                <span dir="auto">{said(words).by(known.instructor_name)}</span>
                {" · "}
              </>
            )}
            {said(words).files(known.files.length)}
          </>
        )}
      </PageHead>
      <Shown read={read}>
        {({ data: { files, title } }) =>
          files.length === 0
            ? <Empty icon="file" title={said(words).empty}>{said(words).emptyText}</Empty>
            : (
              <ul class="plain-list card files" aria-label={title}>
                {files.map((file) => (
                  <Row key={file.id} file={file} publicId={publicId} look={(one) => (shown.value = one)} />
                ))}
              </ul>
            )}
      </Shown>
      {shown.value !== undefined && (
        <Picture file={shown.value} publicId={publicId} save={save} onClose={() => (shown.value = undefined)} />
      )}
    </>
  )
}
