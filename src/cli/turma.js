#!/usr/bin/env node
// The command line, for a Node of any version: an old one does not load TypeScript.
import { requireNode } from "./requireNode.js"

requireNode()
await import("./main.ts")
