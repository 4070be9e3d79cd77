import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { appLayer, at, foundClub, send } from "../../harness/App.ts"

const html = { accept: "text/html" }

layer(appLayer())("the classroom's page", (it) => {
  it.effect("has the club's name, language and colours, and nothing of anybody", () =>
    Effect.gen(function*() {
      const club = yield* foundClub({ locale: "pt-BR" })
      yield* send("PATCH", club.path, { token: club.token, body: { name: "Flauta <Doce>", accent: "#ffe100" } })
      const page = `/classroom/${club.organization_id}`
      const { headers, status, text } = yield* send("GET", page, { headers: html })
      assert.strictEqual(status, 200)
      assert.include(text, "<title>Flauta &lt;Doce&gt;</title>")
      assert.include(text, `lang="pt-BR"`)
      assert.notInclude(text, club.owner.email)
      assert.strictEqual((yield* send("GET", `${page}/lessons/a?b=c`, { headers: html })).text, text)
      assert.include(headers["content-security-policy"] ?? "", "script-src 'self';")
      assert.notMatch(text, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i)
      const sheet = /href="([^"]+face\.css\?v=[^"]+)"/.exec(text)?.[1] ?? ""
      assert.match((yield* send("GET", sheet)).text, /^:root\{--accent:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)/)
    }))

  it.effect("names the files of its view beside those of every view", () =>
    Effect.gen(function*() {
      const page = "/classroom/2f1f9b6a-7e10-4c6e-9d53-6f0c1f1e4b0a"
      const filesAt = (path: string) =>
        Effect.map(
          send("GET", `${page}${path}`, { headers: html }),
          ({ headers }) => [...(headers["link"] ?? "").matchAll(/<[^>]*\/([\w]+)-[^>]*>/g)].map(([, name]) => name)
        )
      const ofAll = ["start", "classroom", "classroom", "shared"]
      assert.deepStrictEqual(yield* filesAt("/nowhere"), ofAll)
      const ofLesson = yield* filesAt("/lessons/a?b=c")
      assert.includeMembers([...ofLesson], [...ofAll, "Lesson", "MarkdownReader"])
      assert.notInclude(ofLesson, "Home")
      assert.includeMembers([...yield* filesAt("")], [...ofAll, "Home"])
    }))

  it.effect("has the same face as the pages of its mails", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* send("PATCH", club.path, { token: club.token, body: { name: "Flauta <Doce>", accent: "#ffe100" } })
      const { text } = yield* send("GET", `/classroom/${club.organization_id}/sign-in`, { headers: html })
      assert.include(text, "· Flauta &lt;Doce&gt;</title>")
      const sheet = /href="([^"]+face\.css)"/.exec(text)?.[1] ?? ""
      assert.match((yield* send("GET", sheet)).text, /^:root\{--accent:light-dark/)
      const mark = /<img src="([^"]+)"/.exec(text)?.[1] ?? ""
      assert.match(mark, /^\/v1\/clubs\/.*\/face\/icon\.svg\?/)
      assert.strictEqual((yield* send("GET", mark)).headers["content-type"], "image/svg+xml")
    }))

  it.effect("is the same for a club that does not exist, without a name", () =>
    Effect.gen(function*() {
      const page = yield* send("GET", "/classroom/2f1f9b6a-7e10-4c6e-9d53-6f0c1f1e4b0a", { headers: html })
      assert.deepStrictEqual([page.status, /<title>([^<]*)/.exec(page.text)?.[1]], [200, "Turma"])
      assert.strictEqual((yield* send("GET", "/classroom/somewhere", { headers: html })).status, 404)
    }))

  it.effect("frames the players of the providers of videos, and nothing else", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      const { headers } = yield* send("GET", `/classroom/${club.organization_id}`, { headers: html })
      const policy = headers["content-security-policy"] ?? ""
      const frames = /frame-src ([^;]*)/.exec(policy)?.[1]?.split(" ") ?? []
      assert.deepStrictEqual(frames.map((source) => new URL(source.replace("*", "any")).hostname), [
        "www.youtube-nocookie.com",
        "player.vimeo.com",
        "any.tv.pandavideo.com.br",
        "iframe.mediadelivery.net",
        "player.mux.com"
      ])
      assert.include(policy, "frame-ancestors 'none'")
    }))

  it.effect("can be installed under the club's name", () =>
    Effect.gen(function*() {
      const club = yield* foundClub()
      yield* send("PATCH", club.path, { token: club.token, body: { name: "Flauta Doce" } })
      const page = `/classroom/${club.organization_id}`
      const { headers, json } = yield* send("GET", `${page}/manifest.webmanifest`)
      assert.strictEqual(headers["content-type"], "application/manifest+json")
      assert.deepStrictEqual([at(json, "name"), at(json, "start_url"), at(json, "scope")], ["Flauta Doce", page, page])
      yield* send("PATCH", club.path, { token: club.token, body: { name: `${"A".repeat(29)}🎻</script>` } })
      const { text } = yield* send("GET", `${page}/manifest.webmanifest`)
      assert.include(text, `"short_name":"${"A".repeat(29)}🎻"`)
      const icon = String(at(json, "icons", 0, "src"))
      assert.strictEqual((yield* send("GET", icon)).headers["content-type"], "image/svg+xml")
    }))
})
