import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import { ClubFaces } from "../../../src/membership/clubs/ClubFaces.ts"
import { AppLayer, at, foundClub, outcome, send } from "../../harness/App.ts"
import { call } from "../../harness/RawHttp.ts"
import { isAbout } from "../../harness/Refusals.ts"
import { announced, begin, pdf, png, uploaded } from "../../learning/media/Files.ts"

interface Club {
  readonly path: string
  readonly token: string
}

const patch = ({ path, token }: Club, body: unknown) => send("PATCH", path, { token, body })

/** The path and query of an address in an answer. */
const pathOf = (url: unknown) => {
  const { pathname, search } = new URL(String(url))
  return `${pathname}${search}`
}

const dressed = Effect.gen(function*() {
  const club = yield* foundClub()
  const [logo, cover] = [yield* uploaded(club, png), yield* uploaded(club, png)]
  const face = { logo_media_id: logo, cover_media_id: cover, accent: "#B4235A", welcome: "Bem-vinda!" }
  const answer = yield* patch(club, face)
  return { ...club, logo, cover, answer, face: Object(at(answer.json, "data")) }
})

layer(AppLayer)("A club's face", (it) => {
  it.effect("is empty at first", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { json } = yield* send("GET", club.path, club)
      const empty = { logo_media_id: null, cover_media_id: null, accent: null, welcome: null }
      assert.deepInclude(at(json, "data"), { ...empty, logo_url: null, cover_url: null })
    }))

  it.effect("is changed with the club, with the colour in small letters", () =>
    Effect.gen(function*() {
      const { answer, cover, face, logo, organization_id, path, token } = yield* dressed
      assert.strictEqual(answer.status, 200)
      assert.deepInclude(face, { logo_media_id: logo, cover_media_id: cover, accent: "#b4235a", welcome: "Bem-vinda!" })
      assert.match(
        face.logo_url,
        new RegExp(`^https://turma.example/v1/clubs/${organization_id}/face/logo\\?v=\\w{8}$`)
      )
      assert.match(face.cover_url, /face\/cover\?v=\w{8}$/)
      assert.deepStrictEqual((yield* send("GET", path, { token })).json, answer.json)
    }))

  it.effect("changes by what is sent, and null clears", () =>
    Effect.gen(function*() {
      const club = yield* dressed
      const renamed = yield* patch(club, { name: "Choro Novo", accent: null })
      assert.deepStrictEqual(at(renamed.json, "data"), { ...club.face, name: "Choro Novo", accent: null })
      const cleared = yield* patch(club, { logo_media_id: null })
      assert.deepInclude(at(cleared.json, "data"), {
        logo_media_id: null,
        logo_url: null,
        cover_url: club.face.cover_url
      })
    }))

  it.effect.each([
    ["accent", "b4235a"],
    ["accent", "#b4235"],
    ["accent", "red"],
    ["welcome", ""],
    ["welcome", "a".repeat(301)],
    ["logo_media_id", "logo"]
  ])("refuses a wrong %s: %s", ([field, wrong]) =>
    Effect.gen(function*() {
      const answer = yield* patch(yield* foundClub(), { [String(field)]: wrong })
      assert.deepStrictEqual(outcome(answer), [422, "validation_failed"])
      assert.isTrue(isAbout(at(answer.json, "error", "message"), field), answer.text)
    }))

  it.effect("takes only ready images of the club's own library, of at most 2 MiB, and changes nothing otherwise", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* foundClub(), yield* foundClub()]
      const begun = yield* begin(club, announced(png))
      const large = Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)])
      const file = yield* send("POST", `${club.path}/mentorship-files`, { token: club.token, body: announced(png) })
      const wrong = [
        randomUUID(),
        yield* uploaded(other, png),
        yield* uploaded(club, pdf, { mime: "application/pdf" }),
        yield* uploaded(club, large),
        String(at(begun.json, "data", "media", "id")),
        String(at(file.json, "data", "media", "id"))
      ]
      for (const id of wrong) {
        for (const key of ["logo_media_id", "cover_media_id"]) {
          const answer = yield* patch(club, { [key]: id, name: "Outro" })
          assert.deepStrictEqual(outcome(answer), [422, "media_unknown"])
        }
      }
      assert.strictEqual(at((yield* send("GET", club.path, club)).json, "data", "name"), "Violão Fácil")
    }))

  it.effect("keeps its images from being deleted while it shows them", () =>
    Effect.gen(function*() {
      const club = yield* dressed
      const remove = send("DELETE", `${club.path}/media/${club.logo}`, club)
      assert.deepStrictEqual(outcome(yield* remove), [409, "media_in_use"])
      yield* patch(club, { logo_media_id: null })
      assert.strictEqual((yield* remove).status, 204)
    }))

  it.effect("keeps the name that came with a slug of another club", () =>
    Effect.gen(function*() {
      const [club, other] = [yield* dressed, yield* foundClub()]
      const slug = at((yield* send("GET", other.path, other)).json, "data", "slug")
      assert.deepStrictEqual(outcome(yield* patch(club, { slug, accent: "#000000" })), [409, "slug_taken"])
      assert.strictEqual(at((yield* send("GET", club.path, club)).json, "data", "accent"), "#b4235a")
    }))
})

layer(AppLayer)("The images of a face", (it) => {
  it.effect("are sent to anyone as they were uploaded, for a year at their address", () =>
    Effect.gen(function*() {
      const { face } = yield* dressed
      for (const url of [face.logo_url, face.cover_url]) {
        const { headers, status, text } = yield* call("GET", pathOf(url))
        assert.strictEqual(status, 200)
        assert.strictEqual(text, png.toString("utf8"))
        assert.include(headers, {
          "content-type": "image/png",
          "content-length": String(png.length),
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff"
        })
        assert.include(headers["content-security-policy"], "sandbox")
      }
    }))

  it.effect("are kept for minutes where the address names no version or another one", () =>
    Effect.gen(function*() {
      const { face } = yield* dressed
      const path = new URL(face.logo_url).pathname
      for (const query of ["", "?v=", "?v=00000000", "?v=1&v=2"]) {
        const { headers, status } = yield* call("GET", `${path}${query}`)
        assert.strictEqual(status, 200)
        assert.strictEqual(headers["cache-control"], "public, max-age=300")
      }
    }))

  it.effect("are not sent again to students who have them", () =>
    Effect.gen(function*() {
      const { face } = yield* dressed
      const etag = (yield* send("GET", pathOf(face.logo_url))).headers["etag"] ?? ""
      const again = yield* send("GET", pathOf(face.logo_url), { headers: { "if-none-match": etag } })
      assert.deepStrictEqual([again.status, again.text], [304, ""])
    }))

  it.effect("are those that the club has now, and nothing else of it", () =>
    Effect.gen(function*() {
      const club = yield* dressed
      const [bare, path] = [yield* foundClub(), new URL(club.face.logo_url).pathname]
      yield* patch(club, { logo_media_id: null })
      const absent = [
        path,
        `${bare.path}/face/logo`,
        `/v1/clubs/${randomUUID()}/face/cover`,
        "/v1/clubs/nope/face/cover",
        `/v1/clubs/${club.id}/face/cover`,
        `/v1/clubs/${club.organization_id}/face/${club.cover}`,
        `/v1/clubs/${club.organization_id}/face/..%2Fcover`
      ]
      for (const one of absent) assert.deepStrictEqual(outcome(yield* send("GET", one)), [404, "not_found"], one)
    }))
})

layer(AppLayer)("A face without a session", (it) => {
  it.effect("is what the page to sign in shows", () =>
    Effect.gen(function*() {
      const { face, organization_id } = yield* dressed
      const faces = yield* ClubFaces
      const found = Option.getOrThrow(yield* faces.find(organization_id.toUpperCase()))
      const { cover_url, logo_url, welcome } = face
      assert.deepInclude(found, {
        organization_id,
        accent: "#b4235a",
        cover_url,
        logo_url,
        welcome,
        sign_up_open: true
      })
      assert.strictEqual(found.colors?.light.accent, "#b4235a")
    }))

  it.effect("has no colours where the club chose none, and is empty without such a club", () =>
    Effect.gen(function*() {
      const faces = yield* ClubFaces
      const { organization_id } = yield* foundClub()
      const { colors, cover_url, logo_url } = Option.getOrThrow(yield* faces.find(organization_id))
      assert.deepStrictEqual([colors, logo_url, cover_url], [null, null, null])
      for (const unknown of [randomUUID(), "", "a b"]) assert.isTrue(Option.isNone(yield* faces.find(unknown)))
    }))

  it.effect("has an icon of the club's initial, whose address changes with what it shows", () =>
    Effect.gen(function*() {
      const club = yield* dressed
      const faces = yield* ClubFaces
      const iconOf = Effect.map(faces.find(club.organization_id), (face) => Option.getOrThrow(face).icon_url)
      const [before, answer] = [yield* iconOf, yield* send("GET", pathOf(yield* iconOf))]
      assert.strictEqual(answer.status, 200)
      assert.include(answer.headers, {
        "content-type": "image/svg+xml",
        "cache-control": "public, max-age=31536000, immutable"
      })
      assert.match(answer.text, />V<\/text><\/svg>$/)
      yield* patch(club, { accent: "#005f2f" })
      assert.notStrictEqual(yield* iconOf, before)
    }))
})
