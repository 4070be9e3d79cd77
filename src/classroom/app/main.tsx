import { render } from "preact"
import { followLinks, place } from "../../browser/client/Location.ts"
import { Shell } from "./Shell.tsx"
import { viewAt } from "./Views.ts"

const root = document.getElementById("page")
if (root !== null) {
  followLinks()
  // While it is asked who is signed in. The view itself says what failed.
  viewAt(place.peek().path)?.View.preload().catch(() => {})
  render(<Shell />, root)
}
