import { describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type PageOptions, withoutBrowser } from "../harness/Browser.ts"
import { withFiles } from "./Learning.ts"
import { byKeys } from "./StoryByKeys.ts"
import {
  area,
  asks,
  begins,
  comments,
  entersAgain,
  follow,
  getsHelp,
  passesQuiz,
  posts,
  watches
} from "./StorySteps.ts"
import { buy, openStory, type StoryClub, StoryLayer } from "./StoryWorld.ts"
import { look, visit } from "./Visit.ts"

// Takes long: a student buys, learns, talks and gets help in a browser.

const runs: ReadonlyArray<PageOptions & { readonly locale: "en-US" | "pt-BR" }> = [
  { width: 390, colorScheme: "dark", locale: "pt-BR" },
  { width: 1280, colorScheme: "light", locale: "en-US" }
]

/** A page that finds the files of the test, in other tabs too. */
const visitor = Effect.fnUntraced(function*({ club }: StoryClub, options: PageOptions) {
  // Files without a place on the test's machine, and the end of the session.
  const page = yield* visit(club, [], { ...options, isAlone: true, expected: [/401/, /ERR_CONNECTION_REFUSED/] })
  yield* withFiles(page)
  // At the end of the test, some requests still wait for an answer.
  yield* Effect.addFinalizer(() => Effect.promise(() => page.unrouteAll({ behavior: "ignoreErrors" })))
  yield* Effect.promise(async () => {
    // An answer passes through as it comes.
    await page.route("**/ask/**", (route) => route.continue())
    await page.context().route(/\/storage\/files\//, (route) => route.fulfill({ contentType: "text/html", body: "" }))
  })
  return page
})

describe.skipIf(withoutBrowser)("A student's story", () => {
  layer(StoryLayer, { excludeTestServices: true })("in the classroom", (it) => {
    it.effect.each(runs)(
      "goes from a purchase at Hotmart by one click to the first lesson, and on to its end: $width, $locale",
      (options) =>
        Effect.gen(function*() {
          const story = yield* openStory(options.locale === "pt-BR" ? "pt-BR" : "en")
          const { words } = story
          const name = `story-${options.locale}`
          yield* buy(story)
          const page = yield* visitor(story, options)
          yield* begins(page, story, name)
          yield* watches(page, story, name)
          yield* passesQuiz(page, story, name)
          yield* comments(page, story, name)
          yield* asks(page, story, name)
          yield* posts(page, story, name)
          yield* getsHelp(page, story, name)
          yield* entersAgain(page, story, name)
          yield* area(page, story, words.areas.ranking)
          yield* Effect.promise(() => page.getByText(words.points.level).first().waitFor())
          yield* look(page, `${name}-14-points`)
          yield* area(page, story, words.areas.home)
          yield* Effect.promise(() => page.getByRole("link", { name: words.course.goOn }).waitFor())
          yield* look(page, `${name}-15-home`)
          yield* follow(page, words.course.goOn)
          yield* Effect.promise(() => page.getByRole("heading", { name: words.lesson.second, level: 1 }).waitFor())
        }).pipe(Effect.scoped)
    )

    it.effect("goes from the sign-in to a question to the staff by keys alone", () =>
      Effect.gen(function*() {
        const story = yield* openStory("en")
        yield* buy(story)
        const page = yield* visitor(story, { width: 1280 })
        yield* byKeys(page, story)
      }).pipe(Effect.scoped))
  })
})
