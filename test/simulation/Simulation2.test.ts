import { simulateSeeds } from "./Seeds.ts"

simulateSeeds(51, 50)
