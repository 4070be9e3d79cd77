import { Duration, Effect, Layer, Redacted, Stream } from "effect"
import { Material, type MaterialQuery, type Passage } from "../../../../src/assistant/material/search/Material.ts"
import { type AnswerPart, Assistant, type Question } from "../../../../src/assistant/providers/Assistant.ts"
import type { ConfiguredModel } from "../../../../src/assistant/providers/AssistantSettings.ts"
import { modelLayer } from "../../../../src/assistant/providers/model/ModelLayer.ts"
import { type ModelTimes, modelTimes } from "../../../../src/assistant/providers/model/ModelTimes.ts"
import { ClubId } from "../../../../src/identity/ids/ClubId.ts"
import { CourseId } from "../../../../src/learning/content/Course.ts"
import { LessonId } from "../../../../src/learning/content/Lesson.ts"

export const key = "sk-not-to-be-seen-anywhere"

const club_id = ClubId.make("01980000-0000-7000-8000-000000000001")
const course_id = CourseId.make("01980000-0000-7000-8000-000000000002")
const lesson_id = LessonId.make("01980000-0000-7000-8000-000000000003")

export const question: Question = {
  club_id,
  course_id,
  lesson_id,
  lesson_title: "Respirar",
  student_id: null,
  agent_name: "Assistente",
  locale: "pt-BR",
  content: "Como a respiração ajuda?",
  history: []
}

/** A passage of the lesson with this text. */
export const passage = (body: string, source: Partial<Passage["source"]> = {}): Passage => ({
  source: {
    source_id: lesson_id,
    source_kind: "lesson",
    source_title: "Respirar",
    media_id: null,
    lesson_id,
    page_from: null,
    page_to: null,
    ...source
  },
  body,
  words: []
})

export const passages = [
  passage("A respiração lenta reduz a ansiedade em poucos minutos."),
  passage("O sono profundo consolida a memória durante a noite.", { page_from: 3, page_to: 3 })
]

/** Material that finds these passages for every query. */
export const material = (found: (query: MaterialQuery) => ReadonlyArray<Passage> = () => passages) =>
  Layer.succeed(Material, { search: (query) => Effect.succeed(found(query)) })

/** No wait before another attempt. */
export const impatient: ModelTimes = { ...modelTimes, backoff: Duration.zero }

const chosen = (provider: ConfiguredModel["provider"], base_url: string): ConfiguredModel => ({
  provider,
  base_url,
  model: "model-1",
  key: Redacted.make(key)
})

/** The assistant that calls this provider at this address. */
export const assistantAt = (
  provider: ConfiguredModel["provider"],
  base_url: string,
  found: Layer.Layer<Material> = material(),
  times = impatient
) => modelLayer(chosen(provider, base_url), times).pipe(Layer.provide(found))

/** The parts of the answer up to its end, and the error code if it failed. */
export const heard = Effect.fnUntraced(function*(asked: Question = question) {
  const assistant = yield* Assistant
  const parts: Array<AnswerPart> = []
  const code = yield* assistant.answer(asked).pipe(
    Stream.runForEach((part) => Effect.sync(() => parts.push(part))),
    Effect.match({ onSuccess: () => null, onFailure: ({ code }) => code })
  )
  return { parts, text: textOf(parts), code, citations: citationsOf(parts) }
})

const textOf = (parts: ReadonlyArray<AnswerPart>) => parts.map((part) => part._tag === "Text" ? part.text : "").join("")

const citationsOf = (parts: ReadonlyArray<AnswerPart>) =>
  parts.flatMap((part) => part._tag === "Citation" ? [part.citation] : [])
