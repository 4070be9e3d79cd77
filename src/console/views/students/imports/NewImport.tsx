import { type Signal, useSignal } from "@preact/signals"
import { useId, useRef } from "preact/hooks"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { changed } from "../../../../browser/client/Reads.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../../browser/parts/States.tsx"
import { attempt } from "../../../../browser/parts/Toasts.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { commonWords } from "../words.ts"
import { Counts, Errors, type Import, ImportBadge, ImportProgress, LeftOut, useImport } from "./Outcome.tsx"
import { Past } from "./Past.tsx"
import { importWords } from "./words.ts"

const words = spoken(
  {
    allWrong: "No row can be imported as it is: correct them and check again.",
    check: "Check the rows",
    columns:
      "Columns: name, surname, email, document, delivery, cohort, expires_at. Only name and email are needed; titles may be Portuguese or Spanish too.",
    file: "CSV file",
    go: (rows: number) => rows === 1 ? "Import 1 row" : `Import ${rows} rows`,
    lead: "Up to 5,000 rows at a time. First the rows are checked, and nothing is written.",
    mailed: "An import sends no mails to new students. Your webhooks get each new student and each access.",
    or: "or paste the rows",
    skipped:
      "Rows with errors are skipped; the others are imported. You can send the same list again: no student is added twice.",
    started: "The import runs",
    unreadable: "The file could not be read: choose it again."
  },
  {
    allWrong: "Nenhuma linha pode ser importada assim: corrija e verifique de novo.",
    check: "Verificar as linhas",
    columns:
      "Colunas: nome, sobrenome, email, documento, entrega, turma, expira_em. Só nome e email são necessários; os títulos também podem estar em inglês ou espanhol.",
    file: "Arquivo CSV",
    go: (rows: number) => rows === 1 ? "Importar 1 linha" : `Importar ${rows} linhas`,
    lead: "Até 5.000 linhas por vez. Primeiro as linhas são verificadas, sem gravar nada.",
    mailed: "Uma importação não envia e-mails aos alunos novos. Seus webhooks recebem cada aluno novo e cada acesso.",
    or: "ou cole as linhas",
    skipped:
      "Linhas com erros ficam de fora; as outras entram. Dá para enviar a mesma lista de novo: nenhum aluno é criado duas vezes.",
    started: "A importação está em andamento",
    unreadable: "Não foi possível ler o arquivo: escolha-o de novo."
  }
)

/** The list to send: the bytes of a file, or pasted text. The service finds out the encoding of a file. */
type Sent = string | Uint8Array<ArrayBuffer>

const send = async ({ organization_id: clubId }: Membership, body: Sent, dry_run: "true" | "false") => {
  const { data } = await turma.studentImports.create({ clubId, dry_run, body })
  changed(`${clubId}/imports`)
  return data.id
}

/** The checked list, and the import that previews its result. */
interface Checked {
  readonly id: string
  readonly sent: Sent
}

interface Drafted {
  readonly club: Membership
  readonly checked: Signal<Checked | undefined>
}

const read = async (file: File) => {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    throw new Error(said(words).unreadable)
  }
}

/** The list to send: a file, or pasted rows. Another list needs another preview. */
const Draft = ({ checked, club }: Drafted) => {
  const sent = useSignal<Sent>("")
  const isRunning = useSignal(false)
  const isReading = useSignal(false)
  const id = useId()
  // Of a slow file and what was entered meanwhile, what came last counts.
  const turn = useRef(0)
  const chooser = useRef<HTMLInputElement>(null)
  const set = (next: Sent) => {
    turn.current++
    isReading.value = false
    sent.value = next
    checked.value = undefined
  }
  const paste = (rows: string) => {
    if (chooser.current !== null) chooser.current.value = ""
    set(rows)
  }
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    set("")
    const own = turn.current
    isReading.value = true
    await attempt(async () => {
      const next = await read(file)
      if (turn.current === own) set(next)
    })
    if (turn.current === own) isReading.value = false
  }
  const check = async (event: Event) => {
    event.preventDefault()
    if (isRunning.peek()) return
    isRunning.value = true
    const body = sent.peek()
    await attempt(async () => {
      const importId = await send(club, body, "true")
      if (sent.peek() === body) checked.value = { id: importId, sent: body }
    })
    isRunning.value = false
  }
  return (
    <form class="card stack" onSubmit={check}>
      <p class="soft">{said(words).columns}</p>
      <div class="field">
        <label for={`${id}-file`}>{said(words).file}</label>
        <input
          ref={chooser}
          id={`${id}-file`}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChange={({ currentTarget: { files } }) => void choose(files?.[0])}
        />
      </div>
      <div class="field">
        <label for={`${id}-rows`}>{said(words).or}</label>
        <textarea
          id={`${id}-rows`}
          class="code-field"
          rows={8}
          spellcheck={false}
          placeholder={"name,email,delivery\nBia Lima,bia.lima@example.com,Violão do zero"}
          value={typeof sent.value === "string" ? sent.value : ""}
          onInput={(event) => paste(event.currentTarget.value)}
        />
      </div>
      <div class="actions">
        <button
          type="submit"
          class={checked.value === undefined ? "" : "quiet"}
          disabled={(typeof sent.value === "string" ? sent.value.trim() : sent.value).length === 0}
          aria-busy={isRunning.value || isReading.value}
        >
          {said(words).check}
        </button>
      </div>
    </form>
  )
}

const Ready = ({ club, sent, shown }: { readonly club: Membership; readonly sent: Sent; readonly shown: Import }) => {
  const isRunning = useSignal(false)
  const good = shown.total - shown.failed
  const start = async () => {
    if (isRunning.peek()) return
    isRunning.value = true
    await attempt(async () => {
      go(clubPage(club, "students", "imports", await send(club, sent, "false")))
    }, said(words).started)
    isRunning.value = false
  }
  if (good === 0) return <p class="notice bad">{said(words).allWrong}</p>
  return (
    <>
      {shown.failed > 0 && <p class="notice waiting">{said(words).skipped}</p>}
      <p class="soft">{said(words).mailed}</p>
      <div class="actions">
        <button type="button" aria-busy={isRunning.value} onClick={() => void start()}>{said(words).go(good)}</button>
      </div>
    </>
  )
}

/** The preview of an import. */
const Preview = ({ club, id, sent }: { readonly club: Membership; readonly id: string; readonly sent: Sent }) => (
  <section class="card stack" aria-labelledby="preview">
    <Shown read={useImport(club, id)}>
      {(shown) => (
        <>
          <div class="row">
            <h2 id="preview">{said(importWords).trial}</h2>
            <ImportBadge {...shown} />
          </div>
          {shown.status === "completed"
            ? (
              <>
                <Counts {...shown} />
                <LeftOut {...shown} />
                <Ready club={club} sent={sent} shown={shown} />
                {shown.failed > 0 && <Errors club={club} id={id} />}
              </>
            )
            : <ImportProgress {...shown} />}
        </>
      )}
    </Shown>
  </section>
)

/** Many students at once: a list, what it would do, and what was imported before. */
export default function NewImport({ club }: ClubViewProps) {
  const checked = useSignal<Checked | undefined>(undefined)
  return (
    <>
      <PageHead
        title={said(importWords).import}
        above={[{ label: said(commonWords).students, to: clubPage(club, "students") }]}
      >
        {said(words).lead}
      </PageHead>
      <Draft club={club} checked={checked} />
      {checked.value === undefined
        ? <Past club={club} />
        : <Preview key={checked.value.id} club={club} {...checked.value} />}
    </>
  )
}
