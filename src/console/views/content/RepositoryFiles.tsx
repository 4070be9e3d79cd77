import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Order } from "../../../browser/parts/Order.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import { MediaPicker } from "../../club/library/MediaPicker.tsx"
import { mediaNote } from "../../club/library/mediaWords.ts"
import type { Media } from "../../club/library/upload/uploads.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"

const words = spoken(
  {
    add: "Add a file",
    added: "Added",
    empty: "There are no files here",
    emptyText: "Add files for students to download: from the library, or upload them now.",
    files: "Files",
    remove: "Take out",
    removed: "Taken out; the file stays in the library",
    removeOf: (title: string) => `Take out ${title}`
  },
  {
    add: "Adicionar um arquivo",
    added: "Adicionado",
    empty: "Não há arquivos aqui",
    emptyText: "Adicione arquivos para os alunos baixarem: da biblioteca, ou envie agora.",
    files: "Arquivos",
    remove: "Remover",
    removed: "Removido; o arquivo continua na biblioteca",
    removeOf: (title: string) => `Remover ${title}`
  }
)

/** The files of a repository, in the order students see them. */
export const RepositoryFiles = (
  { club, repositoryId }: { readonly club: Membership; readonly repositoryId: string }
) => {
  const isPicking = useSignal(false)
  const mayTeach = may(club.role, "teach")
  const params = { ...ofClub(club), repositoryId }
  const key = `${club.organization_id}/repository-files/${repositoryId}`
  const files = useRead(key, (signal) => turma.repositories.listFiles(params, { signal }))
  const after = () => changed(key, `${club.organization_id}/repositories/${repositoryId}`)
  const add = (media: Media) => {
    isPicking.value = false
    void attempt(async () => {
      await turma.repositories.addFile({ ...params, body: { media_id: media.id } })
      after()
    }, said(words).added)
  }
  const remove = (fileId: string) =>
    attempt(async () => {
      await turma.repositories.removeFile({ ...params, fileId })
      after()
    }, said(words).removed)
  return (
    <section class="stack" aria-labelledby="files">
      <div class="line">
        <h2 id="files">{said(words).files}</h2>
        {mayTeach && (
          <button type="button" class="quiet" onClick={() => (isPicking.value = true)}>{said(words).add}</button>
        )}
      </div>
      <Shown read={files}>
        {({ data }) =>
          data.length === 0
            ? <Empty icon="file" title={said(words).empty}>{said(words).emptyText}</Empty>
            : (
              <Order
                label={said(words).files}
                items={data}
                keyOf={({ id }) => id}
                nameOf={({ title }) => title}
                isFixed={!mayTeach}
                save={(ids) => turma.repositories.orderFiles({ ...params, body: { ids: [...ids] } })}
                after={after}
              >
                {(file) => (
                  <div class="line">
                    <div class="line-words">
                      <span dir="auto">{file.title}</span>
                      <span class="soft small">{mediaNote({ ...file, provider: "storage" })}</span>
                    </div>
                    {mayTeach && (
                      <button
                        type="button"
                        class="quiet"
                        aria-label={said(words).removeOf(file.title)}
                        onClick={() => void remove(file.id)}
                      >
                        {said(words).remove}
                      </button>
                    )}
                  </div>
                )}
              </Order>
            )}
      </Shown>
      {isPicking.value && <MediaPicker club={club} isFile onPick={add} onClose={() => (isPicking.value = false)} />}
    </section>
  )
}
