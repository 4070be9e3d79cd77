import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { enrolledStudent, foundClub } from "../harness/App.ts"
import {
  makeBlock,
  makeCatalogDelivery,
  makeCourse,
  makeEnrollment,
  makeItem,
  makeLesson,
  makeMedia,
  makeModule
} from "../harness/Makers.ts"

/** Text that the classroom must not interpret. */
export const hostile = `<img src=x onerror="document.title='owned'">{{7*7}} \u202E evil`

type Club = Effect.Success<ReturnType<typeof foundClub>>

/** A question of a quiz whose first option is right. */
export const question = (n: number, text: string, options: ReadonlyArray<string>) => ({
  id: `0190a000-0000-7000-8000-a${String(n).padStart(11, "0")}`,
  text,
  options: options.map((option, m) => ({
    id: `0190a000-0000-7000-8000-b${String(n * 10 + m).padStart(11, "0")}`,
    text: option,
    correct: m === 0
  }))
})

/** A quiz of two questions whose first options are right. Both have to be. */
export const breathQuiz = {
  kind: "quiz" as const,
  pass_percent: 100,
  questions: [
    question(1, "Com o que se respira?", ["Com o diafragma", "Com os ombros"]),
    question(2, "Quando o som começa?", ["Quando o ar já corre", "Quando a língua bate"])
  ]
}

/** A course of two modules and four lessons in a delivery, and a student who has it. */
export const openSchool = Effect.fnUntraced(function*(given: { readonly locale?: "en" | "pt-BR" } = {}) {
  const club = yield* foundClub(given)
  const course = yield* makeCourse(club, { title: "Primeiro sopro", public_id: "primeiro-sopro" })
  const [first, second] = [
    yield* makeModule(club, course, { title: "Antes da primeira nota", position: 1 }),
    yield* makeModule(club, course, { title: "A primeira nota", position: 2 })
  ]
  const lessons = [
    yield* makeLesson(club, first, { title: "Respirar", public_id: "respirar", position: 1 }),
    yield* makeLesson(club, first, { title: "Soprar", public_id: "soprar", position: 2 }),
    yield* makeLesson(club, second, { title: "Tocar", public_id: "tocar", position: 1 }),
    yield* makeLesson(club, second, { title: "Escutar", public_id: "escutar", position: 2 })
  ] as const
  const delivery = yield* makeCatalogDelivery(club, { name: "Flauta em casa" })
  yield* makeItem(club, delivery, { kind: "course", id: course.id })
  const student = yield* enrolledStudent(club)
  yield* makeEnrollment(club, student, delivery)
  return { club, course, delivery, lessons, modules: [first, second] as const, student }
})

/** Gives a course what its page shows above the lessons. */
export const describeCourse = Effect.fnUntraced(function*(
  { id }: { readonly id: string },
  given: Readonly<Record<string, unknown>>
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`update courses set ${sql.update(given)} where id = ${id}`
})

/** Ends every access of a student. */
export const endAccess = Effect.fnUntraced(function*({ id }: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  const now = DateTime.toDateUtc(yield* DateTime.now)
  yield* sql`update enrollments set revoked_at = ${now}, revoke_reason = 'manual' where student_id = ${id}`
})

/** The seconds of the sound that stands for every uploaded file. */
const soundSeconds = 120

/** A silent sound as a file, with as few samples a second as a browser takes. */
const sound = () => {
  const samples = 3000
  const size = soundSeconds * samples
  const file = Buffer.alloc(44 + size, 128)
  file.write("RIFF", 0)
  file.writeUInt32LE(36 + size, 4)
  file.write("WAVEfmt ", 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(samples, 24)
  file.writeUInt32LE(samples, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write("data", 36)
  file.writeUInt32LE(size, 40)
  return file
}

/**
 * Has a page find the files of the test. Each is a silent sound. The records of the test have no files, and the
 * service does not know its own port, so its addresses lead nowhere. `change` changes the answers of the API.
 */
export const withFiles = (page: Page, change = (answer: string) => answer) =>
  Effect.promise(async () => {
    const file = sound()
    await page.route(/^http:\/\/127\.0\.0\.1\/|\/storage\/files\//, async (route) => {
      const [, from = "0"] = /^bytes=(\d+)-/.exec(route.request().headers()["range"] ?? "") ?? []
      const body = file.subarray(Number(from))
      await route.fulfill({
        status: 206,
        contentType: "audio/wav",
        headers: {
          "accept-ranges": "bytes",
          "content-range": `bytes ${from}-${file.length - 1}/${file.length}`
        },
        body
      })
    })
    await page.route("**/classroom/api/**", async (route) => {
      // The exchange answers its own page alone.
      const headers = { ...await route.request().allHeaders(), "sec-fetch-site": "same-origin" }
      const answer = await route.fetch({ headers })
      const text = change(await answer.text())
      const { origin } = new URL(page.url())
      await route.fulfill({ response: answer, body: text.replaceAll("http://127.0.0.1/", `${origin}/`) })
    })
  })

/** A person comes back to a page, which then reads anew. */
export const comeBack = (page: Page): Promise<unknown> => page.evaluate("dispatchEvent(new Event('focus'))")

/** Runs this of the video `shown`. */
export const onVideo = <A>(page: Page, body: string): Promise<A> =>
  page.evaluate<A>(`((shown) => ${body})(document.querySelector("video"))`)

/** Where the video is. */
export const secondsOf = (page: Page) => onVideo<number>(page, "Math.floor(shown.currentTime)")

/** Goes to a second of the video, and plays. */
export const playAt = (page: Page, seconds: number) =>
  onVideo(
    page,
    `new Promise((done, fail) => {
    shown.muted = true
    const go = () => {
      shown.currentTime = ${seconds}
      shown.play().then(done, fail)
    }
    if (shown.readyState > 0) go()
    else shown.addEventListener("loadedmetadata", go, { once: true })
  })`
  )

/** True while a video plays, which hides what stands around it. */
export const isPlaying = async (page: Page): Promise<boolean> =>
  await page.locator("html").getAttribute("data-playing") === "true"

/** A lesson with a block of each kind. */
export const fillLesson = Effect.fnUntraced(function*(club: Club, lesson: Parameters<typeof makeBlock>[1]) {
  const video = yield* makeMedia(club, { kind: "video", title: "Respirar sem pressa" })
  const hosted = yield* makeMedia(club, { kind: "video", provider: "youtube", title: "Uma aula aberta" })
  const pdf = yield* makeMedia(club, { title: "Exercícios.pdf" })
  const audio = yield* makeMedia(club, { kind: "audio", title: "Lá de 440" })
  const text = [
    "Respire fundo e **solte o ar devagar**, sem levantar os ombros.",
    "",
    "## Três coisas para notar",
    "",
    "1. Onde o ar entra",
    "2. Quanto tempo ele fica",
    "3. Como ele sai",
    "",
    "> Primeiro o ar, depois o som.",
    "",
    `${hostile}`
  ].join("\n")
  const blocks = {
    video: yield* makeBlock(club, lesson, { kind: "video", media_id: video.id }, { position: 1 }),
    text: yield* makeBlock(club, lesson, { kind: "text", body: text }, { position: 2, title: "Antes de tocar" }),
    hosted: yield* makeBlock(club, lesson, { kind: "video", media_id: hosted.id }, { position: 3 }),
    audio: yield* makeBlock(club, lesson, { kind: "file", media_id: audio.id }, { position: 4 }),
    pdf: yield* makeBlock(club, lesson, { kind: "file", media_id: pdf.id }, { position: 5, title: "Para imprimir" }),
    quiz: yield* makeBlock(club, lesson, breathQuiz, { position: 6, title: "Você respirou bem?" }),
    assignment: yield* makeBlock(club, lesson, {
      kind: "assignment",
      body: "Grave **dez segundos** de uma nota longa e conte como foi."
    }, { position: 7, title: "Sua nota longa" })
  }
  return { ...blocks, media: { audio, hosted, pdf, video } }
})

/** How many of these elements a browser renders now: it leaves out those far from the screen. */
export const rendered = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).evaluateAll((all) =>
    all.filter((one) => Object(one).firstElementChild.checkVisibility({ contentVisibilityAuto: true })).length
  )
