import { repeatSeed } from "./Seeds.ts"

// Takes long: three simulated months.

repeatSeed(1000)
