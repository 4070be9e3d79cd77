import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { CheckField, TextField } from "../../../browser/parts/Fields.tsx"
import { orNull, useForm } from "../../../browser/parts/Form.ts"
import type { Schemas } from "../../../sdk/index.ts"
import { useImageField } from "../../club/library/ImageField.tsx"
import { useLibraryText } from "../../club/library/LibraryText.tsx"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"

const words = spoken(
  {
    cover: "Cover",
    coverHint: "A picture of 16 to 9, such as 1280 × 720. Without one the course gets a pattern made of its title.",
    description: "Description",
    facts: "Its page for students",
    instructor: "Instructor",
    key: "Public id",
    keyHint: "Its key in classroom addresses: letters, digits, “_” and “-”. A new key frees the old one.",
    listed: "Show it to students without access",
    listedHint: "They see its title, its cover and the titles of its lessons, and that it is locked.",
    save: "Save",
    saved: "Saved",
    subtitle: "Subtitle",
    title: "Title"
  },
  {
    cover: "Capa",
    coverHint: "Uma imagem na proporção 16:9, como 1280 × 720. Sem capa, o curso ganha um desenho feito do título.",
    description: "Descrição",
    facts: "A página do curso",
    instructor: "Quem ensina",
    key: "Id público",
    keyHint: "A chave nos endereços da sala de aula: letras, números, “_” e “-”. Uma chave nova libera a antiga.",
    listed: "Mostrar a quem não tem acesso",
    listedHint: "Quem não tem o curso vê o título, a capa e os títulos das aulas, com um cadeado.",
    save: "Salvar",
    saved: "Salvo",
    subtitle: "Subtítulo",
    title: "Título"
  }
)

interface CourseFactsProps {
  readonly club: Membership
  readonly course: Schemas["Course"]
  readonly after: () => void
}

/** A form for everything that students see of a course beside its lessons. */
export const CourseFacts = ({ after, club, course }: CourseFactsProps) => {
  const form = useForm({
    of: course,
    values: {
      title: course.title,
      subtitle: course.subtitle ?? "",
      description: course.description ?? "",
      instructor_name: course.instructor_name ?? "",
      cover_media_id: course.cover_media_id ?? "",
      listed: course.listed ? "true" : "",
      public_id: course.public_id
    },
    send: async (value) => {
      await turma.courses.update({
        ...ofClub(club),
        courseId: course.id,
        body: form.changes({
          title: value("title"),
          subtitle: orNull(value("subtitle")),
          description: orNull(value("description")),
          instructor_name: orNull(value("instructor_name")),
          cover_media_id: orNull(value("cover_media_id")),
          listed: value("listed") === "true",
          public_id: value("public_id").trim()
        })
      })
      after()
    },
    done: said(words).saved
  })
  const description = useLibraryText({
    club,
    form,
    name: "description",
    label: said(words).description,
    rows: 6,
    maxLength: 5000
  })
  const cover = useImageField({
    club,
    form,
    name: "cover_media_id",
    label: said(words).cover,
    hint: said(words).coverHint
  })
  return (
    <details class="card narrow">
      <summary>{said(words).facts}</summary>
      <form class="stack" onSubmit={form.submit}>
        <TextField form={form} name="title" label={said(words).title} required maxLength={200} />
        <TextField form={form} name="subtitle" label={said(words).subtitle} maxLength={200} />
        {description.field}
        <TextField form={form} name="instructor_name" label={said(words).instructor} maxLength={120} />
        {cover.field}
        <CheckField form={form} name="listed" label={said(words).listed} hint={said(words).listedHint} />
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
      {description.dialog}
      {cover.dialog}
    </details>
  )
}
