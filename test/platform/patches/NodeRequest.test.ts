import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { assert, describe, it } from "@effect/vitest"
import { HttpServerRequest } from "effect/http"
import { ServerResponse } from "node:http"
import { withUnreadResponse } from "../../../src/platform/patches/NodeRequest.ts"
import { removable } from "../../harness/Patches.ts"

const made = () => HttpServerRequest.fromWeb(new Request("http://localhost/"))

describe("A request that did not come from a socket", () => {
  it("has no response of Node's, without the patch", () => {
    assert.isUndefined(NodeHttpServerRequest.toServerResponse(made()), removable("NodeRequest"))
  })

  it("has one that nobody reads", () => {
    const response = NodeHttpServerRequest.toServerResponse(withUnreadResponse(made()))
    assert.instanceOf(response, ServerResponse)
    response.end("late")
  })
})
