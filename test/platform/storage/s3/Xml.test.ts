import { assert, describe, it } from "@effect/vitest"
import { elementsIn, textIn } from "../../../../src/platform/storage/s3/Xml.ts"

const list = `<?xml version="1.0"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>files</Name>
<Contents><Key>a&amp;b &#x263A;&#9786;</Key></Contents>
<Contents><Key>c&lt;&gt;&quot;&apos;</Key></Contents></ListBucketResult>`

describe("an answer of S3", () => {
  it("is taken apart by its elements", () => {
    const keys = elementsIn(list, "Contents").map((object) => textIn(object, "Key"))
    assert.deepStrictEqual(keys, ["a&b ☺☺", "c<>\"'"])
    assert.strictEqual(textIn(list, "Name"), "files")
  })

  it("has nothing where there is no such element", () => {
    assert.deepStrictEqual(elementsIn(list, "Content"), [])
    assert.isUndefined(textIn(list, "NextContinuationToken"))
  })

  it("keeps what is no entity as it stands", () => {
    assert.strictEqual(textIn("<A>&nbsp;&#x110000;&amp;lt;</A>", "A"), "&nbsp;&#x110000;&lt;")
  })
})
