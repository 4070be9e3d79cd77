import { Layer } from "effect"
import { McpHttpLayer, mcpRoutes } from "./McpHttp.ts"

/** Tools for agents, made of the contract. */
export const mcp = { services: Layer.empty, routes: McpHttpLayer, addresses: mcpRoutes, workers: Layer.empty }
