import { assert, layer } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect, FileSystem } from "effect"
import { at, listAt, send } from "../harness/App.ts"
import { document, operations } from "../harness/Document.ts"
import { needTools } from "../tools/Needed.ts"
import { asOpenApi30 } from "../tools/OpenApi30.ts"
import { project } from "../tools/Tools.ts"
import { block, outputOf, type Place, prepared, serviceLayer } from "./Calling.ts"
import { guide, marked } from "./Guides.ts"
import { clientPython, example, isSkipped, java } from "./Receivers.ts"

// Takes long: it makes and installs a client of the whole contract.
// The client in the guide to Python, from the last version of the generator in the package of tools.

const generator = "@openapitools/openapi-generator-cli"

const versionOf = Effect.fnUntraced(function*(name: string) {
  const fs = yield* FileSystem.FileSystem
  const { dependencies } = JSON.parse(yield* fs.readFileString(`${project}/test/tools/package.json`))
  return String(dependencies[name])
})

// The generator forgets names after 500 of them, and would make each again thousands of times.
const cache = "-Dorg.openapitools.codegen.utils.namecache"
const options = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", `${cache}.cachesize=100000`].join(" ")

// Nothing here reads its pages and tests.
const fewerFiles = "--global-property modelDocs=false,modelTests=false,apiDocs=false,apiTests=false"

/** Makes the client as the guide says, except for the version, the document that it reads, and what is not read. */
const generate = Effect.fnUntraced(function*(place: Place) {
  const fs = yield* FileSystem.FileSystem
  const { json } = yield* send("GET", "/openapi.json")
  yield* fs.writeFileString(`${place.folder}/openapi-3.0.json`, JSON.stringify(asOpenApi30(Object(json))))
  const shown = example("sh", marked(guide("python"), "generate"))
  const program = /npx -y @openapitools\/openapi-generator-cli@\d+\.\d+\.\d+/
  assert.match(shown, program)
  assert.include(shown, "$TURMA/openapi.json")
  const jar = `${project}/test/tools/node_modules/${generator}/bin/openapi-generator.jar`
  const here = shown.replace(program, `"${java}" ${options} -jar "${jar}"`)
    .replace("$TURMA/openapi.json", "openapi-3.0.json").trim()
  yield* outputOf("bash", ["-euo", "pipefail", "-c", `${here} ${fewerFiles}`], place)
})

/** Reads the examples of answers through the client's classes and writes them back. */
const readAgain = `
import inspect
import json
import re

import turma_client
from dateutil.parser import isoparse

def method_of(operation):
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", operation.replace(".", "_")).lower() + "_with_http_info"

def plain(value):
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if one is not None}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return isoparse(value) if isinstance(value, str) and re.match(r"\\d{4}-\\d\\d-\\d\\dT", value) else value

apis = [api for api in vars(turma_client).values() if inspect.isclass(api)]
methods = {name: method for api in apis for name, method in vars(api).items()}
client = turma_client.ApiClient()
with open("answers.json") as answers:
    for operation, answer in json.load(answers):
        kind = re.search("response_type='(.*)'", inspect.getsource(methods[method_of(operation)])).group(1)
        read = client.deserialize(type("Answer", (), {"data": json.dumps(answer)}), kind)
        assert plain(client.sanitize_for_serialization(read)) == plain(answer), operation
        print(operation)
`

/** The example answer of every operation that a key may call. */
const answers = operations.filter(({ schemes }) => schemes.includes("clubKey")).flatMap(({ operationId, responses }) =>
  Object.entries(responses).filter(([status]) => status < "300").slice(0, 1).flatMap(([, { content }]) => {
    const answer = content?.["application/json"]
    return answer === undefined || !("example" in answer) ? [] : [[operationId, answer.example] as const]
  })
)

layer(serviceLayer({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" }), { excludeTestServices: true })(
  "the client that is generated in Python",
  (it) => {
    it.effect.skipIf(isSkipped(clientPython) || isSkipped(java))(
      "calls the service as the guide shows, and reads whatever it may be answered",
      (context) =>
        Effect.gen(function*() {
          yield* Effect.promise(() => needTools(context))
          const { club, place, students } = yield* prepared({ "client.py": block("python", "client") })
          yield* generate(place)
          const receiver = "https://127.0.0.1:8443/turma"
          const env = { ...place.env, RECEIVER: receiver, PYTHONPATH: `${place.folder}/turma-client` }
          const said = yield* outputOf(clientPython, ["client.py"], { ...place, env })
          const lines = said.trim().split("\n")
          assert.deepStrictEqual(
            lines.slice(0, 3).map((line) => line.replace(/ since \d{4}$/, "")),
            students.map(({ name }) => name)
          )
          const [one = "", two = "", endpoint, failure, ...others] = lines.slice(3)
          const { json: deliveries } = yield* send("GET", `${club.path}/deliveries`, { token: club.token })
          assert.deepStrictEqual(listAt(deliveries, "data").map((delivery) => at(delivery, "id")), [one.slice(2)])
          assert.deepStrictEqual([one.slice(0, 2), two], ["1 ", one.replace("1", "2")])
          assert.match(endpoint ?? "", /^https:\/\/127\.0\.0\.1:8443\/turma enabled whsec_\S+$/)
          assert.match(failure ?? "", /^404 not_found [\w-]{8,}$/)
          assert.deepStrictEqual(others, [])

          const fs = yield* FileSystem.FileSystem
          yield* fs.writeFileString(`${place.folder}/answers.json`, JSON.stringify(answers))
          const read = yield* outputOf(clientPython, ["-c", readAgain], { ...place, env })
          assert.deepStrictEqual(read.trim().split("\n"), answers.map(([operationId]) => operationId))
          assert.isAbove(answers.length, 100)
        })
    )

    it.effect("is made by the version that the guide names", () =>
      Effect.gen(function*() {
        const [, version] = (yield* versionOf(generator)).split("-")
        assert.include(guide("python"), `a client of version ${version},`)
      }))
  }
)

layer(serviceLayer({}))("the document written as OpenAPI 3.0", (it) => {
  it.effect("is a valid one, with every operation and schema", () =>
    Effect.gen(function*() {
      const written = asOpenApi30(document)
      const parts = ({ components, paths }: typeof document) => [
        Object.entries(paths).map(([path, item]) => [path, Object.keys(item)]),
        Object.keys(components.schemas)
      ]
      assert.deepStrictEqual(parts({ ...document, ...written }), parts(document))
      const validator = new Validator()
      const { errors, valid } = yield* Effect.promise(() => validator.validate(structuredClone(Object(written))))
      assert.isTrue(valid, JSON.stringify(errors))
      assert.strictEqual(validator.version, "3.0")
    }))
})
