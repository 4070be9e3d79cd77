import { render } from "preact"
import { followLinks } from "../../browser/client/Location.ts"
import { Shell } from "./Shell.tsx"

const root = document.getElementById("page")
if (root !== null) {
  followLinks()
  render(<Shell />, root)
}
