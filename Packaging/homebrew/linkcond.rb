# Homebrew formula, from source. Packaging/homebrew/formula fills in the address and the digest.
class Linkcond < Formula
  desc "Bad network, the same one every time"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "swift" => :build
  depends_on "libnghttp2"
  depends_on "libuv"
  depends_on "libyaml"
  depends_on :linux
  depends_on "openssl@3"
  depends_on "zstd"

  def install
    system "swift", "build", "--configuration", "release", "--static-swift-stdlib", "--product", "linkcond",
           *%w[libuv libyaml openssl@3 libnghttp2 zstd].flat_map { |name|
             ["-Xcc", "-I#{Formula[name].opt_include}", "-Xlinker", "-L#{Formula[name].opt_lib}"]
           }
    system "Packaging/install", ".build/release/linkcond", prefix
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/linkcond version")
    system bin/"linkcond", "run", "--fault", "c1:down+500=rst", "--", "curl", "-sS", "--retry", "1",
           "--retry-all-errors", "-o", "{out}", "{url}/bytes/1000"
  end
end
