import { readFileSync } from "node:fs"
import { ownText } from "../text/Utf8.ts"
import { asset } from "./Asset.ts"

const read = (file: string) => ownText(readFileSync(new URL(`./style/${file}`, import.meta.url)))

/** Tokens and shared elements, which the console has too, then the elements of pages alone. */
const sheets = ["tokens.css", "base.css", "pages.css"]

/** Colours, type, space and motion as custom properties, light and dark, and the elements that use them. */
export const styleSheet = asset("turma", "css", "text/css; charset=utf-8", sheets.map(read).join("\n"))

/** The mark in a tab of a browser. */
export const icon = asset("turma", "svg", "image/svg+xml", read("icon.svg"))

/** What every page loads. */
export const pageAssets = [styleSheet, icon]
