import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { TextField } from "../../../browser/parts/Fields.tsx"
import { orNull, useForm } from "../../../browser/parts/Form.ts"
import type { Schemas } from "../../../sdk/index.ts"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"

const words = spoken(
  {
    cover: "Cover",
    coverHint: "The https address of a picture. Optional.",
    facts: "What students read",
    instructor: "Author of these files",
    key: "Public id",
    keyHint: "Its key in classroom addresses. A new key frees the old one.",
    save: "Save",
    saved: "Saved",
    title: "Title"
  },
  {
    cover: "Capa",
    coverHint: "O endereço https de uma imagem. Opcional.",
    facts: "O que os alunos leem",
    instructor: "Autoria dos arquivos",
    key: "Id público",
    keyHint: "A chave nos endereços da sala de aula. Uma chave nova libera a antiga.",
    save: "Salvar",
    saved: "Salvo",
    title: "Título"
  }
)

interface RepositoryFactsProps {
  readonly club: Membership
  readonly repository: Schemas["ManagedRepository"]
  readonly after: () => void
}

/** A form for the text that students read about a repository. */
export const RepositoryFacts = ({ after, club, repository }: RepositoryFactsProps) => {
  const form = useForm({
    of: repository,
    values: {
      title: repository.title,
      public_id: repository.public_id,
      instructor_name: repository.instructor_name ?? "",
      cover_url: repository.cover_url ?? ""
    },
    send: async (value) => {
      await turma.repositories.update({
        ...ofClub(club),
        repositoryId: repository.id,
        body: form.changes({
          title: value("title"),
          public_id: value("public_id").trim(),
          instructor_name: orNull(value("instructor_name")),
          cover_url: orNull(value("cover_url"))
        })
      })
      after()
    },
    done: said(words).saved
  })
  return (
    <form class="card stack narrow" onSubmit={form.submit}>
      <h2>{said(words).facts}</h2>
      <TextField form={form} name="title" label={said(words).title} required maxLength={200} />
      <TextField form={form} name="instructor_name" label={said(words).instructor} maxLength={120} />
      <TextField form={form} name="cover_url" label={said(words).cover} hint={said(words).coverHint} type="url" />
      <TextField
        form={form}
        name="public_id"
        label={said(words).key}
        hint={said(words).keyHint}
        required
        maxLength={32}
      />
      <div class="actions">
        <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(words).save}</button>
      </div>
    </form>
  )
}
