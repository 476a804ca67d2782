/// A profile file that is part of the program.
package struct EmbeddedProfile: Sendable {
    /// The name that users type; the file says the same.
    package let name: String
    /// The name of the file, which begins with a letter even where the profile's name does not.
    package let file: String
    /// UTF-8.
    package let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8], file: String? = nil) {
        self.name = name
        self.file = "\(file ?? name).yaml"
        self.bytes = bytes
    }

    /// The file as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The profile files that are part of the program.
package enum Profiles {
    /// All of them, in the order in which a list shows them.
    package static let all: [EmbeddedProfile] = [
        EmbeddedProfile("none", PackageResources.none_yaml),
        EmbeddedProfile("lte", PackageResources.lte_yaml),
        EmbeddedProfile("3g", PackageResources.umts_3g_yaml, file: "umts-3g"),
        EmbeddedProfile("edge", PackageResources.edge_yaml),
        EmbeddedProfile("dsl", PackageResources.dsl_yaml),
        EmbeddedProfile("wifi", PackageResources.wifi_yaml),
        EmbeddedProfile("wifi-ac", PackageResources.wifi_ac_yaml),
        EmbeddedProfile("very-bad-network", PackageResources.very_bad_network_yaml),
        EmbeddedProfile("high-latency-dns", PackageResources.high_latency_dns_yaml),
        EmbeddedProfile("100-loss", PackageResources.total_loss_yaml, file: "total-loss"),
        EmbeddedProfile("3g-good", PackageResources.umts_3g_good_yaml, file: "umts-3g-good"),
        EmbeddedProfile("edge-good", PackageResources.edge_good_yaml),
        EmbeddedProfile("lossy", PackageResources.lossy_yaml),
        EmbeddedProfile("edge-lossy", PackageResources.edge_lossy_yaml),
        EmbeddedProfile("cable", PackageResources.cable_yaml),
        EmbeddedProfile("wifi-good", PackageResources.wifi_good_yaml),
        EmbeddedProfile("wifi-lossy", PackageResources.wifi_lossy_yaml),
        EmbeddedProfile("bursty", PackageResources.bursty_yaml),
        EmbeddedProfile("flaky", PackageResources.flaky_yaml),
        EmbeddedProfile("tunnel", PackageResources.tunnel_yaml),
        EmbeddedProfile("hotspot", PackageResources.hotspot_yaml),
        EmbeddedProfile("on-demand", PackageResources.on_demand_yaml),
        EmbeddedProfile("constrained", PackageResources.constrained_yaml),
        EmbeddedProfile("expensive", PackageResources.expensive_yaml),
        EmbeddedProfile("drop-after-n-bytes", PackageResources.drop_after_n_bytes_yaml),
        EmbeddedProfile("satellite", PackageResources.satellite_yaml),
        EmbeddedProfile("starlink", PackageResources.starlink_yaml),
        EmbeddedProfile("lte-drive", PackageResources.lte_drive_yaml),
        EmbeddedProfile("umts-drive", PackageResources.umts_drive_yaml),
        EmbeddedProfile("quic-simple", PackageResources.quic_simple_yaml),
        EmbeddedProfile("quic-goodput", PackageResources.quic_goodput_yaml),
        EmbeddedProfile("quic-crosstraffic", PackageResources.quic_crosstraffic_yaml),
        EmbeddedProfile("quic-longrtt", PackageResources.quic_longrtt_yaml),
        EmbeddedProfile("quic-blackhole", PackageResources.quic_blackhole_yaml),
        EmbeddedProfile("quic-amplificationlimit", PackageResources.quic_amplificationlimit_yaml),
        EmbeddedProfile("quic-handshakeloss", PackageResources.quic_handshakeloss_yaml),
        EmbeddedProfile("quic-transferloss", PackageResources.quic_transferloss_yaml),
        EmbeddedProfile("quic-handshakecorruption", PackageResources.quic_handshakecorruption_yaml),
        EmbeddedProfile("quic-transfercorruption", PackageResources.quic_transfercorruption_yaml),
        EmbeddedProfile("quic-rebind-port", PackageResources.quic_rebind_port_yaml),
        EmbeddedProfile("quic-rebind-addr", PackageResources.quic_rebind_addr_yaml),
        EmbeddedProfile("chrome-fast-3g", PackageResources.chrome_fast_3g_yaml),
        EmbeddedProfile("chrome-fast-4g", PackageResources.chrome_fast_4g_yaml),
        EmbeddedProfile("chrome-slow-3g", PackageResources.chrome_slow_3g_yaml),
        EmbeddedProfile("chrome-slow-4g", PackageResources.chrome_slow_4g_yaml),
        EmbeddedProfile("wpt-2g", PackageResources.wpt_2g_yaml),
        EmbeddedProfile("wpt-3g", PackageResources.wpt_3g_yaml),
        EmbeddedProfile("wpt-3g-em", PackageResources.wpt_3g_em_yaml),
        EmbeddedProfile("wpt-3g-fast", PackageResources.wpt_3g_fast_yaml),
        EmbeddedProfile("wpt-3g-slow", PackageResources.wpt_3g_slow_yaml),
        EmbeddedProfile("wpt-cable", PackageResources.wpt_cable_yaml),
        EmbeddedProfile("wpt-dial", PackageResources.wpt_dial_yaml),
        EmbeddedProfile("wpt-dsl", PackageResources.wpt_dsl_yaml),
        EmbeddedProfile("wpt-edge", PackageResources.wpt_edge_yaml),
        EmbeddedProfile("wpt-fios", PackageResources.wpt_fios_yaml),
        EmbeddedProfile("wpt-lte", PackageResources.wpt_lte_yaml),
        EmbeddedProfile("atc-2g-developing-rural", PackageResources.atc_2g_developing_rural_yaml),
        EmbeddedProfile("atc-2g-developing-urban", PackageResources.atc_2g_developing_urban_yaml),
        EmbeddedProfile("atc-3g-average", PackageResources.atc_3g_average_yaml),
        EmbeddedProfile("atc-3g-good", PackageResources.atc_3g_good_yaml),
        EmbeddedProfile("atc-cable", PackageResources.atc_cable_yaml),
        EmbeddedProfile("atc-dsl", PackageResources.atc_dsl_yaml),
        EmbeddedProfile("atc-edge-average", PackageResources.atc_edge_average_yaml),
        EmbeddedProfile("atc-edge-good", PackageResources.atc_edge_good_yaml),
        EmbeddedProfile("atc-edge-lossy", PackageResources.atc_edge_lossy_yaml),
        EmbeddedProfile("atc-no-connectivity", PackageResources.atc_no_connectivity_yaml),
        EmbeddedProfile("pantheon-california", PackageResources.pantheon_california_yaml),
        EmbeddedProfile("pantheon-china", PackageResources.pantheon_china_yaml),
        EmbeddedProfile("pantheon-colombia", PackageResources.pantheon_colombia_yaml),
        EmbeddedProfile("pantheon-india", PackageResources.pantheon_india_yaml),
        EmbeddedProfile("pantheon-mexico", PackageResources.pantheon_mexico_yaml),
        EmbeddedProfile("pantheon-nepal", PackageResources.pantheon_nepal_yaml),
        EmbeddedProfile("policer", PackageResources.policer_yaml),
        EmbeddedProfile("measured-3g-p5", PackageResources.measured_3g_p5_yaml),
        EmbeddedProfile("measured-3g-p25", PackageResources.measured_3g_p25_yaml),
        EmbeddedProfile("measured-3g-p50", PackageResources.measured_3g_p50_yaml),
        EmbeddedProfile("measured-3g-p75", PackageResources.measured_3g_p75_yaml),
        EmbeddedProfile("measured-3g-p95", PackageResources.measured_3g_p95_yaml),
        EmbeddedProfile("measured-4g-p5", PackageResources.measured_4g_p5_yaml),
        EmbeddedProfile("measured-4g-p25", PackageResources.measured_4g_p25_yaml),
        EmbeddedProfile("measured-4g-p50", PackageResources.measured_4g_p50_yaml),
        EmbeddedProfile("measured-4g-p75", PackageResources.measured_4g_p75_yaml),
        EmbeddedProfile("measured-4g-p95", PackageResources.measured_4g_p95_yaml),
        EmbeddedProfile("measured-5g-p25", PackageResources.measured_5g_p25_yaml),
        EmbeddedProfile("measured-5g-p50", PackageResources.measured_5g_p50_yaml),
        EmbeddedProfile("measured-5g-p75", PackageResources.measured_5g_p75_yaml),
        EmbeddedProfile("measured-5g-p95", PackageResources.measured_5g_p95_yaml),
        EmbeddedProfile("measured-5g-driving", PackageResources.measured_5g_driving_yaml),
        EmbeddedProfile("measured-lte-driving", PackageResources.measured_lte_driving_yaml),
    ]
}
