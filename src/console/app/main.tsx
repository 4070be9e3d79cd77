import { render } from "preact"
import { followLinks } from "../client/Location.ts"
import { Shell } from "./Shell.tsx"

const root = document.getElementById("console")
if (root !== null) {
  followLinks()
  render(<Shell />, root)
}
